/**
 * For `node --import`: a process whose clock is `CLOCK_SKEW_MS` ahead, as on a machine without time service.
 * The monotonic clock and timers are as they were.
 */
const skewMs = Number(process.env['CLOCK_SKEW_MS'])
const realDate = Date

globalThis.Date = new Proxy(realDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + skewMs] : args, newTarget),
  apply: target => new target(target.now() + skewMs).toString(),
  get: (target, name, receiver) => (name === 'now' ? () => target.now() + skewMs : Reflect.get(target, name, receiver)),
})
