import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { go } from '../router.ts'

/** Link goes to a view of the page without loading it anew. */
export function Link({ to, onClick, ...rest }: { to: string } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to)
  }
  return <a href={to} onClick={click} {...rest} />
}
