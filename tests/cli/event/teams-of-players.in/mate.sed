s/Result "\*"/Result "0-1"/
s/^\*$/1. f3 e5 2. g4 Qh4# 0-1/
