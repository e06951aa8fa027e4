/** The response of the process that reads a file: its text up to the requested length, or the reason why there is none. */
export type TextResponse = { text: string } | Nothing;

/** The request to that process. The bytes of the file come from standard input. */
export type TextRequest = { kind: 'pdf' | 'office'; characters: number };

export type Nothing = { none: 'locked' | 'unreadable' };

/** Page range to render, the width in pixels, and the maximum text length per page. */
export type Drawing = { first: number; last: number; width: number; characters: number };

/** The head of the response of the rendering process, before the concatenated images: the number of pages, and the rendered pages. */
export type Drawn = { pages: number; drawn: { page: number; width: number; height: number; bytes: number; text: string }[] } | Nothing;

/** The maximum size of an image that is re-encoded from its pixels. */
export type Redrawing = { maxWidth: number; maxHeight: number };

/** The limits of a comparison: the number of changes, the length of each, and the length of its context. */
export type Comparing = { maxChanges: number; maxCharacters: number; around: number };

/** A difference between two texts: the removed and the added text, and the common text around it. */
export type Change = { removed?: string; added?: string; before: string; after: string; cut?: true };

/** The response of the process that compares texts. */
export type Compared = { count: number; changes: Change[] } | { none: 'different' };
