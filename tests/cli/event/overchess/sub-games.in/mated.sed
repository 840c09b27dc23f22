s/^\[Result "\*"\]/[Result "0-1"]/
s|^\*$|1. e4 d5 2. exd5 <d5: 1. f3 e5 2. g4 Qh4# 0-1> e6 3. Bb5+ c6 4. Bxc6+ <c6: 1/2-1/2> 4... Ke7 {[%resign W]} 0-1|
