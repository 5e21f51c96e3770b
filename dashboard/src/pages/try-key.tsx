/** Sends the first request with a new key from its dialog, and shows the answer as a program would get it. */
import { useEffect, useState } from 'react'
import { ApiError, sendUnasked } from '../api.ts'
import { announceUnseen } from '../components/announcer.tsx'
import { Button } from '../components/controls.tsx'
import { Failure } from '../components/states.tsx'
import { useWork } from '../components/use-action.ts'
import { formatCount, formatCredits } from '../format.ts'
import { queryClient } from '../session/session.ts'
import { useObjectUrl } from '../use-object-url.ts'

/** Enough for the dialog, which only shows the result. */
const WIDTH_PX = 800

type Answer = { readonly picture: Blob; readonly durationMs: number; readonly creditsLeft: number }

/** A request as a program sends it: with the key, without the session. @throws ApiError */
async function sendWith(key: string, templateId: string, baseUrl: string): Promise<Answer> {
  const form = new FormData()
  form.set('template_id', templateId)
  form.set('width', String(WIDTH_PX))
  form.set('artwork', await (await sendUnasked('/sample-artwork.jpg')).blob(), 'artwork.jpg')
  const begunMs = performance.now()
  // The API is on this origin too, whatever address programs use.
  const response = await sendUnasked(`${new URL(baseUrl).pathname}/mockups/generate`, {
    method: 'POST',
    credentials: 'omit',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  })
  const picture = await response.blob()
  const creditsLeft = Number(response.headers.get('x-credits-remaining'))
  return { picture, durationMs: performance.now() - begunMs, creditsLeft }
}

type TryKeyProps = { apiKey: string; templateId: string; baseUrl: string }

export function TryKey({ apiKey, templateId, baseUrl }: TryKeyProps) {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const url = useObjectUrl(answer?.picture ?? null)
  useEffect(() => {
    if (answer !== null) announceUnseen('200 OK: the mockup is shown.')
  }, [answer])
  const {
    error,
    isBusy,
    run: sendIt,
  } = useWork(async () => {
    setAnswer(await sendWith(apiKey, templateId, baseUrl))
    for (const queryKey of [['credits'], ['keys']]) void queryClient.invalidateQueries({ queryKey })
  })
  return (
    <div className="stack-small">
      {answer === null && (
        <div className="row">
          <Button aria-busy={isBusy} disabled={isBusy} onClick={() => void sendIt()}>
            {isBusy ? 'Sending…' : 'Send it now, for 1 credit'}
          </Button>
          <span className="quiet small">Uses this key and a sample picture.</span>
        </div>
      )}
      {answer !== null && (
        <p>
          <strong>200 OK</strong> after {formatCount(Math.round(answer.durationMs))} ms.{' '}
          {formatCredits(answer.creditsLeft)} left.
        </p>
      )}
      {url !== null && <img className="picture" src={url} alt="The answer: a mockup with the sample artwork" />}
      {error !== null && (
        <>
          {error instanceof ApiError && error.status > 0 && (
            <p>
              <strong>{error.status}</strong> <code>{error.code}</code>
            </p>
          )}
          <Failure error={error} />
        </>
      )}
    </div>
  )
}
