a, b
b, c
