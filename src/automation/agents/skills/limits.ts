/** Limits of a skill: bytes of a file, number of files, bytes of all files, and stored versions. */
export const most = { bytes: 1024 * 1024, files: 256, allBytes: 8 * 1024 * 1024, versions: 20 };

/** The required file with the metadata and instructions of a skill. */
export const mainFile = 'SKILL.md';
