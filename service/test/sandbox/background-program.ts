/** Works without end, as a program in a sandbox: says first that it has begun. */
process.send?.('begun')
for (;;) Math.sqrt(2)
