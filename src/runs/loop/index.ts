/** What a run does: it asks the model, carries out the calls that it asks for, and writes each before anything follows from it. */
export { createLoop } from './loop.ts';
export {
  type CallRow,
  callsOf,
  dropErasedSteps,
  dropOldSteps,
  dropOrphanedSteps,
  type RunOver,
  runsWithSteps,
  type StepRow,
  stepsOf,
  toolsOfDocuments,
  toolsOfSubmissions,
} from './queries.ts';
export { isRemote } from './remote.ts';
export { shownCharacters } from './results.ts';
export { rightsOf } from './rights.ts';
