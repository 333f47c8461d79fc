a b 1.5
b c 2e0
a c .25
