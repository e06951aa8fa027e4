/** How much a skill may have: bytes of a file, files, bytes of all of them, and versions that are kept. */
export const most = { bytes: 1024 * 1024, files: 256, allBytes: 8 * 1024 * 1024, versions: 20 };

/** The file that says what a skill is. */
export const mainFile = 'SKILL.md';
