/** A fixed window of a subject: it opened with the first request after the previous one ended. */
export type RateWindow = {
  readonly windowSeconds: number
  startedAtMs: number
  /** Requests in it, including refused ones. */
  count: number
}

export type RateLimit = { readonly windowSeconds: number; readonly limit: number }

/** The result of counting a request. All fields but `allowed` describe the reported window. */
export type RateDecision = {
  readonly allowed: boolean
  readonly limit: number
  /** Requests that the window still allows, after this one. */
  readonly remaining: number
  /** When the window ends: whole seconds since 1970, rounded up. */
  readonly resetAtS: number
  readonly windowSeconds: number
  /** Whole seconds until the window ends, at least 1. */
  readonly retryAfterS: number
}

/** Counts a request in a window, or opens a new one if it has ended. Returns the window. */
export function countInWindow(window: RateWindow | undefined, windowSeconds: number, nowMs: number): RateWindow {
  if (!window || nowMs >= window.startedAtMs + windowSeconds * 1000) {
    return { windowSeconds, startedAtMs: nowMs, count: 1 }
  }
  // Otherwise a window would be extended when the clock is set back.
  window.startedAtMs = Math.min(window.startedAtMs, nowMs)
  window.count++
  return window
}

/**
 * Reports the window with fewer requests left, and of two with equally many the shorter. If refused, reports
 * a window that refuses, and of several the one that ends later.
 */
export function decide(windows: readonly RateWindow[], limits: readonly RateLimit[], nowMs: number): RateDecision {
  let reported: Standing | null = null
  for (const { windowSeconds, limit } of limits) {
    const window = windows.find(window => window.windowSeconds === windowSeconds)
    const endsAtMs = (window?.startedAtMs ?? nowMs) + windowSeconds * 1000
    const standing = { windowSeconds, limit, endsAtMs, left: limit - (window?.count ?? 0) }
    if (reported === null || matters(standing, reported)) reported = standing
  }
  if (reported === null) throw new RangeError('Expected at least one limit but received none')
  return {
    allowed: reported.left >= 0,
    limit: reported.limit,
    remaining: Math.max(0, reported.left),
    resetAtS: Math.ceil(reported.endsAtMs / 1000),
    windowSeconds: reported.windowSeconds,
    retryAfterS: Math.max(1, Math.ceil((reported.endsAtMs - nowMs) / 1000)),
  }
}

type Standing = RateLimit & { readonly endsAtMs: number; readonly left: number }

/** Whether to report one window rather than the other. */
function matters(one: Standing, other: Standing): boolean {
  if (one.left < 0 && other.left < 0) return one.endsAtMs > other.endsAtMs
  return one.left < other.left || (one.left === other.left && one.windowSeconds < other.windowSeconds)
}
