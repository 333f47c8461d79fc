a b
b c
