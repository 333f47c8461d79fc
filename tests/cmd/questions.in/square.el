# a - b - c
# | x |   |
# d - e - f
a b
b c
d e
e f
a d
b e
c f
a e
