import type { Edge, Net } from './joinRoads.ts';

/** Which edges may be driven from their first node to their second only, so that every node is reached from every other. */
export function keepReachable(net: Net, isOneWay: readonly boolean[]): boolean[] {
  const parts = strongParts(net, isOneWay);
  return net.edges.map(({ from, to }, index) => isOneWay[index]! && parts[from] === parts[to]);
}

/** Kosaraju: two passes over the net, against the traffic and then with it. */
export function strongParts({ nodes, edges }: Net, isOneWay: readonly boolean[]): number[] {
  const ahead = nextNodes(nodes.length, edges, isOneWay, false);
  const back = nextNodes(nodes.length, edges, isOneWay, true);
  const seen = new Uint8Array(nodes.length);
  const order: number[] = [];
  for (const start of nodes.keys()) visit(start, ahead, seen, (node) => order.push(node));
  const parts = new Array<number>(nodes.length).fill(-1);
  const assigned = new Uint8Array(nodes.length);
  for (const start of order.reverse()) visit(start, back, assigned, (node) => (parts[node] = start));
  return parts;
}

function nextNodes(
  count: number,
  edges: readonly Edge[],
  isOneWay: readonly boolean[],
  isBack: boolean,
): number[][] {
  const next: number[][] = Array.from({ length: count }, () => []);
  for (const [index, { from, to }] of edges.entries()) {
    const isTwoWay = !isOneWay[index];
    if (isTwoWay || !isBack) next[from]!.push(to);
    if (isTwoWay || isBack) next[to]!.push(from);
  }
  return next;
}

/** Depth first; a node is left after all that it leads to. */
function visit(
  start: number,
  next: readonly number[][],
  seen: Uint8Array,
  onLeave: (node: number) => void,
): void {
  if (seen[start]) return;
  seen[start] = 1;
  const path = [{ node: start, tried: 0 }];
  while (path.length > 0) {
    const top = path.at(-1)!;
    const node = next[top.node]![top.tried++];
    if (node === undefined) {
      onLeave(top.node);
      path.pop();
    } else if (!seen[node]) {
      seen[node] = 1;
      path.push({ node, tried: 0 });
    }
  }
}
