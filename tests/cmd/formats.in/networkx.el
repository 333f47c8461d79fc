a b {'weight': 3}
b c {'weight': 5}
