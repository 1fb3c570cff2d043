/** Why is what a statement waits for; nothing if nothing is held. */
export function Why({ name }: { name: string }) {
  return <p className="faint">name {name}</p>
}
