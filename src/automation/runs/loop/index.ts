/** What a run does: it asks the model, carries out the calls that it asks for, and writes each before anything follows from it. */
export { createLoop } from './loop.ts';
export { type CallRow, callsOf, type RunOver, runsWithSteps, type StepRow, stepsOf } from './queries.ts';
export { shownCharacters } from './results.ts';
export { rightsOf } from './permissions.ts';
export { toldErasedIn } from './disclosed-content.ts';
