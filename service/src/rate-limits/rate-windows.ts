/** One fixed window of a subject: it opened with the first request after the last one ended. */
export type RateWindow = {
  readonly windowSeconds: number
  startedAtMs: number
  /** Requests in it, refused ones too. */
  count: number
}

export type RateLimit = { readonly windowSeconds: number; readonly limit: number }

/** What the caller is told. Everything but `allowed` is about one of the windows: the one that matters most now. */
export type RateDecision = {
  readonly allowed: boolean
  readonly limit: number
  /** Requests that window still allows, after this one. */
  readonly remaining: number
  /** When that window ends: whole seconds since 1970, never before its end. */
  readonly resetAtS: number
  readonly windowSeconds: number
  /** Whole seconds until that window ends, at least 1. */
  readonly retryAfterS: number
}

/** Counts a request in a window that it may open anew. Returns the window as it is now. */
export function countInWindow(window: RateWindow | undefined, windowSeconds: number, nowMs: number): RateWindow {
  if (!window || nowMs >= window.startedAtMs + windowSeconds * 1000) {
    return { windowSeconds, startedAtMs: nowMs, count: 1 }
  }
  // After a clock was set back a window would otherwise last that much longer.
  window.startedAtMs = Math.min(window.startedAtMs, nowMs)
  window.count++
  return window
}

/**
 * Which window to report: the one with fewer requests left, the shorter of two with equally many; in a refusal only
 * windows that refuse are looked at, and of several the one that ends later.
 */
export function decide(windows: readonly RateWindow[], limits: readonly RateLimit[], nowMs: number): RateDecision {
  const states = limits.map(({ windowSeconds, limit }) => {
    const window = windows.find(window => window.windowSeconds === windowSeconds)
    const endsAtMs = (window?.startedAtMs ?? nowMs) + windowSeconds * 1000
    return { windowSeconds, limit, endsAtMs, left: limit - (window?.count ?? 0) }
  })
  const refusing = states.filter(state => state.left < 0).sort((a, b) => b.endsAtMs - a.endsAtMs)
  const byLeft = [...states].sort((a, b) => a.left - b.left || a.windowSeconds - b.windowSeconds)
  const reported = refusing[0] ?? byLeft[0]
  if (!reported) throw new RangeError('Expected at least one limit but received none')
  return {
    allowed: refusing.length === 0,
    limit: reported.limit,
    remaining: Math.max(0, reported.left),
    resetAtS: Math.ceil(reported.endsAtMs / 1000),
    windowSeconds: reported.windowSeconds,
    retryAfterS: Math.max(1, Math.ceil((reported.endsAtMs - nowMs) / 1000)),
  }
}
