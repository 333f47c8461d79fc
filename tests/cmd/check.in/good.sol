c by hand
o 1
o 3
s OPTIMUM FOUND
v 1 2
v 4 3 0
