// Requests: one door to the server. The key that the user has typed goes with each; nothing else does, so that a browser never asks for a password by itself.
import type { Failure } from '../api.ts'
import { current, want } from './key.ts'

/** Refused is an answer that is an error. */
export class Refused extends Error {
  constructor(readonly status: number, readonly code: string, detail: string) {
    super(detail)
  }
}

export const everywhere = '/sql/v1/organizations/-/environments/-'

/** within is where statements are made: an organization and environment that have names. */
export const within = (organization: string, environment: string) =>
  `/sql/v1/organizations/${encodeURIComponent(organization)}/environments/${encodeURIComponent(environment)}`

export const statementPath = (name: string, rest = '') => `${everywhere}/statements/${encodeURIComponent(name)}${rest}`

/** ask makes a request; it throws Refused for an answer that is an error, and TypeError where there is none. A server that wants a key, or another one, makes the page ask for it. */
export async function ask<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = {}
  const key = current()
  if (key) headers.Authorization = `Bearer ${key}`
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const answer = await fetch(path, { method, headers, credentials: 'omit', cache: 'no-store', ...(body !== undefined && { body: JSON.stringify(body) }), ...(signal && { signal }) })
  if (answer.ok) {
    const text = await answer.text()
    return (text ? JSON.parse(text) : undefined) as T
  }
  if (answer.status === 401) want()
  throw refusal(answer.status, await answer.text())
}

export function refusal(status: number, body: string): Refused {
  try {
    const first = (JSON.parse(body) as Failure).errors[0]
    if (first) return new Refused(status, first.code, first.detail)
  } catch {
    // not from our server: a proxy's words
  }
  return new Refused(status, '', `the server answers ${status}`)
}

/** below is the path of an address that the server has given: it may know itself by another name than the browser does. */
export function below(address: string): string {
  const url = new URL(address, 'http://localhost')
  return url.pathname + url.search
}
