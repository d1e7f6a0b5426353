/** A piece of street that leads from one crossing to another. */
export interface Leaving {
  way: number;
  to: number;
}

export interface Tree {
  /** To every node; infinite where none leads. */
  seconds: Float64Array;
  /** The ways from the first node to this one, each with the node at which it is entered. */
  stepsTo(node: number): { way: number; from: number }[];
}

/** Dijkstra: the fastest ways from some nodes to all others. The whole city takes about a millisecond. */
export function searchFrom(
  starts: readonly { node: number; seconds: number }[],
  leaving: readonly (readonly Leaving[])[],
  secondsOf: (way: number) => number,
): Tree {
  const seconds = new Float64Array(leaving.length).fill(Infinity);
  const cameBy = new Int32Array(leaving.length).fill(-1);
  const cameFrom = new Int32Array(leaving.length).fill(-1);
  const open = new Heap();
  for (const start of starts)
    if (start.seconds < seconds[start.node]!) {
      seconds[start.node] = start.seconds;
      open.push(start.node, start.seconds);
    }
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, cost } = next;
    if (cost > seconds[node]!) continue;
    for (const { way, to } of leaving[node]!) {
      const reached = cost + secondsOf(way);
      if (reached >= seconds[to]!) continue;
      seconds[to] = reached;
      cameBy[to] = way;
      cameFrom[to] = node;
      open.push(to, reached);
    }
  }
  return {
    seconds,
    stepsTo(node) {
      const steps: { way: number; from: number }[] = [];
      for (let at = node; cameBy[at]! >= 0; at = cameFrom[at]!)
        steps.push({ way: cameBy[at]!, from: cameFrom[at]! });
      return steps.reverse();
    },
  };
}

/** The cheapest first. */
class Heap {
  readonly #nodes: { node: number; cost: number }[] = [];

  push(node: number, cost: number): void {
    const nodes = this.#nodes;
    let at = nodes.push({ node, cost }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (nodes[parent]!.cost <= cost) break;
      nodes[at] = nodes[parent]!;
      at = parent;
    }
    nodes[at] = { node, cost };
  }

  pop(): { node: number; cost: number } | undefined {
    const nodes = this.#nodes;
    const [top] = nodes;
    const last = nodes.pop();
    if (!top || !last || nodes.length === 0) return top;
    let at = 0;
    for (;;) {
      const left = at * 2 + 1;
      if (left >= nodes.length) break;
      const right = left + 1;
      const child = right < nodes.length && nodes[right]!.cost < nodes[left]!.cost ? right : left;
      if (nodes[child]!.cost >= last.cost) break;
      nodes[at] = nodes[child]!;
      at = child;
    }
    nodes[at] = last;
    return top;
  }
}
