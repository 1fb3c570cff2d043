/** Profiler is the tasks of a statement, what they do and where they wait. */
export function Profiler({ name }: { name: string }) {
  return <p className="faint">name {name}</p>
}
