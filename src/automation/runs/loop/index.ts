/** Executes a run: sends a request to the model, executes the calls that it requests, and commits each result before the next step. */
export { createLoop } from './loop.ts';
export { type CallRow, callsOf, type RunOver, runsWithSteps, type StepRow, stepsOf } from './queries.ts';
export { shownCharacters } from './results.ts';
export { rightsOf } from './permissions.ts';
export { hasReadErasedIn } from './disclosed-content.ts';
