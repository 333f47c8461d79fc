# towns and kilometres
Rome   Milan  477
Milan  Turin  126
Rome   Genoa  400
Genoa  Turin  123
Milan  Genoa  119   # by Pavia
Bari   Rome   374
