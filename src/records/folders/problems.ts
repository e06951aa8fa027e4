import { declareSqlState } from '../../platform/database/errors.ts';
import { defineProblems } from '../../platform/problems.ts';

export const folderProblems = defineProblems({
  name_taken: {
    status: 409,
    title: 'Name in use',
    help: 'A sibling has this name, regardless of case. Choose another name or another folder.',
  },
  folder_cycle: {
    status: 409,
    title: 'A folder cannot be moved into itself',
    help: 'The target is the folder itself or a folder in it. Choose a target outside the folder.',
  },
  folder_not_empty: {
    status: 409,
    title: 'The folder is not empty',
    help: 'Move or delete its content first, or delete with `?recursive=true`, which moves the whole subtree to the bin.',
  },
  folder_too_deep: {
    status: 422,
    title: 'Too many folder levels',
    help: 'A tree has at most 64 levels. Choose a folder nearer to the top.',
  },
  folder_barred: {
    status: 403,
    title: 'An information barrier prevents this',
    help: 'Only members of the barrier around a folder may do this. Emergency access is read-only. Ask a member of the barrier, or the owner of the folder.',
  },
  barrier_change_in_progress: {
    status: 409,
    title: 'A barrier change is in progress',
    help: 'A job is changing the barrier of many documents in this folder, in a folder above it or in a folder below it. The new access already applies. Wait until the job ends, then send the request again. `GET /api/v1/smartdoc/folders/{id}/barrier` shows the progress, and the end is in the journal as `folder.barrier_change_completed`.',
  },
  legal_hold_active: {
    status: 409,
    title: 'Legal hold active',
    help: 'A legal hold is active on the resource, on a folder above it or on its content. The hold prevents deletion. It also prevents moves out of the folder with the hold. The owner and administrators of the team can list the holds with `GET /api/v1/smartdoc/holds/`, and lift one with `POST /api/v1/smartdoc/holds/{id}/lift`.',
  },
  emergency_access_decided: {
    status: 409,
    title: 'The request is decided or expired',
    help: 'The request is approved, it expired after 24 hours, or the requester is no longer an administrator. Read its status, and send a new request if it expired.',
  },
  emergency_access_exhausted: {
    status: 409,
    title: 'Too many requests for emergency access',
    help: 'One administrator may request emergency access to one barrier five times in 24 hours. Contact the administrators who may approve, or send the request later.',
  },
  parent_not_found: {
    status: 422,
    title: 'Target folder not found',
    help: '`parentId` or `folderId` is not a folder that you may write to. Check the identifier.',
  },
  matter_not_found: {
    status: 422,
    title: 'Matter not found',
    help: '`matterId` must name a matter that you may write to. Check the identifier, or ask the responsible person for write access.',
  },
  matter_closed: {
    status: 409,
    title: 'Matter closed',
    help: 'The matter is closed, so its content is read-only. Reopen the matter with `POST /api/v1/matters/{id}/reopen`, or use another one.',
  },
});

// Triggers of the content raise this state.
declareSqlState('MT001', () => folderProblems.matter_closed('The matter is closed, so its content is read-only. Reopen the matter first.'));
