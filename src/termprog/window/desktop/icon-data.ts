// Written by scripts/icon-pictures.ts; do not edit.

/** The icon of a window as `_NET_WM_ICON` has it, little-endian, deflated, to the base 64; see window-icon.ts. */
export const ICON = `
7Vzbbw1BGO+f4En6hngQQtziUoloG7RFS0pTLeI8UA7VrFuLk6O1SopK3YIliGt4IK4NEg99cGmI64tLIoqnJkj71AfJyLd2mt3tnrOze2Z3Zn
Znkl9yuufMfr/fN9/cZzosLy9vWN7/pKnKcE1Vtmqq0kII+O1wU95vDSsrUF1VKRHgt5AH24W/p44Z4QnGO3TO8E54Vlw2VQdJfsiD9eD8TU92
or2fDqCSZbN85Yd8kJ/kHU75ze9o/XIQLW0o85wfUN1Ygdq+d6B9Xw6Faj9X/Xb/V5YUoWsXz1vQUJfImN9e/o0NSdTf32/BmRNHXf3nMX5yjd
+c6k+u9XekAZ6Spiq1mqp0aaoyoKkKoowB4921GWy3B2AzE9oddOvfrSovQjPHj/YcV26Ad8K7TRxqTfa7sG3adu0wcegy2dfLOwjdTn7A8WCy
rz8L2jYGtudmf/WBGh0s7IPdth8dOjZdr2dqnzYHUv+DzSA4kNoPioMX+0Fw8GrfiUPq+e5Q7Ttx2PZwe2zss/Q/y/hjWf9Ytj+k7W/VwrmoZk
lZRgTZ/5w80j5knG/HuzevA+t/X3Y/d7UPqFlcRqX+29G8Yyvq7e3NavvBnVvU2p+w+98Q7bMef7IefzOdf7Cef/Ew/2SVJhmIatJUJd8o15SH
dRLaSBkc8j3yPhdinSDFOTcdmqoUaKryk0PuGMCtIIvfLdybN65AyeoFxOt0tAG2gYODhnwH/oMxcyJdjyqLZ4TWr7oBuAAncyw5+H7we564mz
XYyiHfqR+F8uKN++C40RpL5nXAFH4OMccrf+Bm4p8y8W/Bz/2s7YcFYw8BoyVO/Ku2LEK7nqZ1wGeR+M+rmG6ZEwOqmxYLwx/8befPQgNN/7PQ
kEv8A0/WGnJtf1hroNF+stRAq/1npYFm/8VCA+3+N5uGjZeSQowfsmlYuqlUiPFP/dUNjvyTF9ZJ/zOL//Wy/ZHtf6T6X5HHPyKPP0Uf//udf8
H+Yefd2+hV9wsiwL7k6WMd3Mx/P3/6SLRPakcmDWGuP4Dv/XAHQDmwXv+ZPWUc+v3rly/+N65c5GL9Cs7zeomhvr4+9LjzPiqcNkGuv0n+YfIX
ff1c9P0LofePRN+/i8L+qej711E4PxCF8xuipUIDMsnkUh8Tmqrc1FSlR1OVvxy3kRh/Da7AOZGj7h4B9Lqhx6sfNFU5HgHddhyPsXYiHxgxPy
TfhuULUUnBRDRt7Chu5wgYwBG4AucMPkhk0W+p74ca1+rv4l1zJgB30GBvD0jLXmTtZh+QxIDRX1hiXnTtGA514aZb7Eeh7LPEQI+DfsvYRoS2
zkubaB8jOei3/CYq2u13gOx3gaR+//qL5k/WETf9oLnxcdPgnhh85t0PNPWbtWOkX+7h2ge09IPGTHvSPPsgDP08+yDo+OfdB7TbP9Aokg9o93
+i+SCo/l8UHwQ1/hPFB0GOf0XwQdDjf959EMb8h8QHzW/2MvFBWPM/Eh/s/9qOyhOFkZ3/kvig9fPBSM//wQcQ69l8EGYMSP0y/mX7J/s/Of6R
4185/5HzX7n+Ide/5Pon+/XvVcsq9P/r6Afp7ZvRkvlzhN3/uHz+rO+7Vma0qWnh9r+21ddR0Y7hFge87X/SKnsMqAsi7X+fOnqYqv7NyTVCnX
+oLC2mpv3D+7dCnv9Yn6hF3c+e+tb9589v9KjzHlEfIM+/SP1Sv9SfRX/czz/G/fxr3M8/x/r8e9zvP8j7L/L+k7z/Ju8/yvuvMsUp/QM=
`;
