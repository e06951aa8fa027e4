/** What the process that reads a file answers with: its text as far as it was wanted, or why it has none. */
export type TextResponse = { text: string } | Nothing;

/** How its process is told what to read: the bytes come by standard input. */
export type TextRequest = { kind: 'pdf' | 'office'; characters: number };

export type Nothing = { none: 'locked' | 'unreadable' };

/** Pages of a file that are drawn, from one up to another, so wide in pixels; of each so many characters of its text. */
export type Drawing = { first: number; last: number; width: number; characters: number };

/** What leads the answer of the process that draws, in front of the pictures one behind the other: how many pages the file has, and those drawn. */
export type Drawn = { pages: number; drawn: { page: number; width: number; height: number; bytes: number; text: string }[] } | Nothing;

/** A picture that somebody sent, made anew from its pixels. */
export type Redrawing = { maxWidth: number; maxHeight: number };

/** How two texts are compared: how many changes are told, how much of each, and how much of what stands around it. */
export type Comparing = { maxChanges: number; maxCharacters: number; around: number };

/** A place where two texts differ: what stands there in the one and in the other, and what around it in both. */
export type Change = { removed?: string; added?: string; before: string; after: string; cut?: true };

/** What the process that compares answers with. */
export type Compared = { count: number; changes: Change[] } | { none: 'different' };
