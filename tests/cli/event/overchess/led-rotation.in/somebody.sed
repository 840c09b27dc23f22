s/Result "\*"/Result "0-1"/
s/^\*$/1. e4 d5 2. exd5 <d5: [White "W1"] [Black "B1"] 1-0> Qxd5 <d5: [White "Zoe"] 1-0> 3. a3 {[%resign W]} 0-1/
