/** Each group of files that import each other in a circle; Tarjan's algorithm. */
export function circlesIn(files: readonly string[], importsOf: (file: string) => string[]): string[][] {
  const circles: string[][] = [];
  const indexes = new Map<string, number>();
  const open: string[] = [];
  /** Returns the index of the earliest open file that this one leads to. */
  const visit = (file: string): number => {
    const index = indexes.size;
    let earliest = index;
    indexes.set(file, index);
    open.push(file);
    for (const target of importsOf(file)) {
      if (!files.includes(target)) continue;
      if (!indexes.has(target)) earliest = Math.min(earliest, visit(target));
      else if (open.includes(target)) earliest = Math.min(earliest, indexes.get(target)!);
    }
    if (earliest === index) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1) circles.push(group);
    }
    return earliest;
  };
  for (const file of files) if (!indexes.has(file)) visit(file);
  return circles;
}
