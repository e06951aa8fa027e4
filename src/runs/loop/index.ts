/** What a run does: it asks the model, carries out the calls that it asks for, and writes each before anything follows from it. */
export { createLoop } from './loop.ts';
export {
  type CallRow,
  callsOf,
  callsSince,
  dropOldSteps,
  dropOrphanedSteps,
  dropSteps,
  listedDocument,
  listsOfDocuments,
  type RunOver,
  runsToldOf,
  runsWithSteps,
  type StepRow,
  stepsOf,
  toolsOfDocuments,
} from './queries.ts';
export { isRemote } from './remote.ts';
export { shownCharacters } from './results.ts';
export { rightsOf } from './rights.ts';
export { toldErasedIn } from './told.ts';
