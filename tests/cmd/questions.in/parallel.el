a b 1
a b 1
a b 3
b c 2
