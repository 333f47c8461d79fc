Rome Milan 477
Milan Turin 126
Turin Genoa 123
Genoa Milan 118
Genoa Rome 400
