import type { Picture } from '../data/feed.ts'
import { Refused } from '../data/ask.ts'
import { clock } from '../format.ts'

/** Failing says that what is shown is old, or that there is nothing. */
export function Failing({ picture, what }: { picture: Picture<unknown>; what: string }) {
  const failing = picture.failing
  if (!failing) return null
  if (failing.error instanceof Refused && failing.error.status === 401) return null // the page asks for a key
  const text = failing.error instanceof Refused ? `${what}: ${failing.error.message}` : `No answer since ${clock(failing.since, failing.again)}.`
  return (
    <p className="notice warn" role="status">
      {text}
      {picture.at !== undefined && ` What is shown is of ${clock(picture.at, failing.again)}.`}
    </p>
  )
}
