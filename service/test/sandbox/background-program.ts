/** Works endlessly, as a program in a sandbox, after reporting that it has begun. */
process.send?.('begun')
for (;;) Math.sqrt(2)
