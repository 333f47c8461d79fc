# roads
Rome Milan 477
Milan Turin 126
Turin Rome 669
Rome Naples 226
