/** Runs the command of `process.argv`. */
// oxlint-disable-next-line unicorn/require-module-specifiers -- makes this file a module, which exports nothing
export {};
