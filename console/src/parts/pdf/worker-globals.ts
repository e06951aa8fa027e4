// pdf.js reads `window` and waits for animation frames, which a worker in a hidden frame does not get. This module is imported before it.
const scope = globalThis as unknown as Record<string, unknown>;
scope.window = globalThis;
scope.requestAnimationFrame = (run: () => void) => setTimeout(run);
scope.cancelAnimationFrame = (timer: number) => clearTimeout(timer);
