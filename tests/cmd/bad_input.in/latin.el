a b
c ÿd
