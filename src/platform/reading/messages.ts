/** What the process that reads a file answers with: its text as far as it was wanted, or why it has none. */
export type Answered = { text: string } | { none: 'locked' | 'unreadable' };

/** How its process is told what to read: the bytes come by standard input. */
export type Reading = { kind: 'pdf' | 'office'; characters: number };
