/** One fixed window of a subject: it opened with the first request after the last one ended. */
export type RateWindow = {
  readonly windowSeconds: number
  startedAtMs: number
  /** Requests in it, refused ones too. */
  count: number
}

export type RateLimit = { readonly windowSeconds: number; readonly limit: number }

/** The answer to a counted request. All but `allowed` describes the one window that is reported. */
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

/** Counts a request in a window, or opens a new one where that has ended. Returns the window. */
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
 * Reports the window with fewer requests left, of two with equally many the shorter. In a refusal it reports
 * a window that refuses, of several the one that ends later.
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

/** Whether a window is to be reported rather than another. */
function matters(one: Standing, other: Standing): boolean {
  if (one.left < 0 && other.left < 0) return one.endsAtMs > other.endsAtMs
  return one.left < other.left || (one.left === other.left && one.windowSeconds < other.windowSeconds)
}
