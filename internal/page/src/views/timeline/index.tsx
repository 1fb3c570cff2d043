/** Timeline is event time against wall clock. */
export function Timeline({ name }: { name: string }) {
  return <p className="faint">name {name}</p>
}
