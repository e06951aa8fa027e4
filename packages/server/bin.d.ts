/** Runs the command of `process.argv`. */
export {};
