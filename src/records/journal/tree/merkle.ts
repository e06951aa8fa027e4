import { hash } from 'node:crypto';

/** The leaves from `from` to `to`, exclusive: a subtree of the Merkle tree, split as in RFC 9162 §2.1.1. */
export type LeafRange = readonly [from: number, to: number];
/** A perfect subtree: the one with this `index` among those with 2^height leaves. */
export type Node = { readonly height: number; readonly index: number };

const leafPrefix = Buffer.from([0]);
const nodePrefix = Buffer.from([1]);

export function sha256(...parts: Uint8Array[]): Buffer {
  const [only] = parts;
  return hash('sha256', parts.length === 1 && only ? only : Buffer.concat(parts), 'buffer');
}

/** The root of the tree without leaves (RFC 9162 §2.1.1). */
export const emptyRoot = sha256(Buffer.alloc(0));

export function leafHash(entry: Uint8Array): Buffer {
  return sha256(leafPrefix, entry);
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(nodePrefix, left, right);
}

/** The largest power of two below `n`, for n > 1. */
function split(n: number): number {
  let power = 1;
  while (power * 2 < n) power *= 2;
  return power;
}

/** The ranges of an inclusion proof, from the leaf’s sibling to the root’s child (RFC 9162 §2.1.3.1). */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  let [from, to] = [0, size];
  const path: LeafRange[] = [];
  while (to - from > 1) {
    const middle = from + split(to - from);
    if (index < middle) {
      path.push([middle, to]);
      to = middle;
    } else {
      path.push([from, middle]);
      from = middle;
    }
  }
  return path.toReversed();
}

/** The ranges of a consistency proof (RFC 9162 §2.1.4.1). Empty for an empty first tree and for equal sizes. */
export function consistencyRanges(first: number, second: number): LeafRange[] {
  if (first === 0 || first === second) return [];
  let [from, to] = [0, second];
  const path: LeafRange[] = [];
  while (to !== first) {
    const middle = from + split(to - from);
    if (first <= middle) {
      path.push([middle, to]);
      to = middle;
    } else {
      path.push([from, middle]);
      from = middle;
    }
  }
  // The verifier already knows the root of the first tree.
  if (from !== 0) path.push([from, to]);
  return path.toReversed();
}

/** Splits a range into perfect subtrees, from left to right, each smaller than the previous one. */
export function perfectNodes([from, to]: LeafRange): Node[] {
  const nodes: Node[] = [];
  for (let at = from; at < to;) {
    let [height, width] = [0, 1];
    while (at % (width * 2) === 0 && at + width * 2 <= to) {
      width *= 2;
      height += 1;
    }
    nodes.push({ height, index: at / width });
    at += width;
  }
  return nodes;
}

const half = (n: number) => Math.floor(n / 2);

/** Computes the root of an inclusion proof (RFC 9162 §2.1.3.2). Returns undefined if the proof has the wrong length. */
export function rootOfInclusion(index: number, size: number, leaf: Buffer, proof: readonly Buffer[]): Buffer | undefined {
  if (index >= size) return undefined;
  let [fn, sn, root] = [index, size - 1, leaf];
  for (const hashed of proof) {
    if (sn === 0) return undefined;
    if (fn % 2 === 1 || fn === sn) {
      root = nodeHash(hashed, root);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      root = nodeHash(root, hashed);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 ? root : undefined;
}

export type TreeHead = { size: number; root: Buffer };

/** Whether a consistency proof shows that the second tree begins with the first (RFC 9162 §2.1.4.2). */
export function isConsistent(first: TreeHead, second: TreeHead, proof: readonly Buffer[]): boolean {
  if (first.size > second.size) return false;
  if (first.size === second.size) return proof.length === 0 && first.root.equals(second.root);
  if (first.size === 0) return proof.length === 0 && first.root.equals(emptyRoot);
  const powerOfTwo = split(first.size + 1) === first.size;
  const [start, ...path] = powerOfTwo ? [first.root, ...proof] : proof;
  if (!start) return false;
  let [fn, sn] = [first.size - 1, second.size - 1];
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)];
  let [firstRoot, secondRoot] = [start, start];
  for (const hashed of path) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      firstRoot = nodeHash(hashed, firstRoot);
      secondRoot = nodeHash(hashed, secondRoot);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      secondRoot = nodeHash(secondRoot, hashed);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && firstRoot.equals(first.root) && secondRoot.equals(second.root);
}
