import { defineProblems } from '../../platform/problems.ts';

export const folderProblems = defineProblems({
  name_taken: {
    status: 409,
    title: 'The name is taken',
    help: 'Something of this name is already there; upper and lower case count as the same. Choose another name or another place.',
  },
  folder_cycle: {
    status: 409,
    title: 'A folder cannot be moved into itself',
    help: 'The target is the folder itself or lies below it. Choose a target outside the folder.',
  },
  folder_not_empty: {
    status: 409,
    title: 'The folder is not empty',
    help: 'Move or delete what is in it first, or delete with `?recursive=true`, which moves the whole subtree to the bin.',
  },
  folder_too_deep: {
    status: 422,
    title: 'The folder would lie too deep',
    help: 'Folders nest at most 64 levels. Choose a place nearer to the top.',
  },
  folder_barred: {
    status: 403,
    title: 'An information barrier prevents this',
    help: 'A barrier around a folder allows this to its members only, and emergency access reads only. Ask a member, or the owner of the folder.',
  },
  barrier_change_in_progress: {
    status: 409,
    title: 'A barrier change is in progress',
    help: 'A job gives many documents in this folder, above it or below it another barrier. Access is already as requested. Wait for the end of the job, then send the request again. `GET /api/v1/smartdoc/folders/{id}/barrier` shows the progress, and the journal has `folder.barrier_change_completed`.',
  },
  legal_hold_active: {
    status: 409,
    title: 'A legal hold stands on it',
    help: 'While a legal hold stands on something, on the folder that it lies in or on anything in it, nobody deletes it or takes it out of there. Owner and administrators of the team see the holds at `GET /api/v1/smartdoc/holds/`, and lift one with `POST /api/v1/smartdoc/holds/{id}/lift` when what it was placed for is over.',
  },
  emergency_access_decided: {
    status: 409,
    title: 'The request is decided or expired',
    help: 'The request is approved, it expired after 24 hours, or its person is no administrator any more. Read its status; send a new request if it expired.',
  },
  emergency_access_exhausted: {
    status: 409,
    title: 'Too many requests for emergency access',
    help: 'One administrator may request emergency access to one barrier five times in 24 hours. Speak with the people who may approve, or send the request later.',
  },
  parent_not_found: {
    status: 422,
    title: 'The target folder does not exist',
    help: '`parentId` or `folderId` names no folder that you may write to. Check the identifier.',
  },
});
