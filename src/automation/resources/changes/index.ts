/** The stream of changes that a caller may see. */
export { ChangeFeed, changeListener } from './feed.ts';
export { followChanges } from './stream.ts';
