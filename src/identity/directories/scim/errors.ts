import { problems } from '../../../platform/problems.ts';

/** The types of SCIM errors with status 400 (RFC 7644 §3.12). */
export type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'mutability' | 'noTarget' | 'tooMany';

export const invalid = (scimType: ScimType, detail: string) => problems.bad_request(detail, { members: { scimType } });
export const notUnique = (detail: string) => problems.conflict(detail, { members: { scimType: 'uniqueness' } });
export const noResource = (kind: string) => problems.not_found(`There is no ${kind} with this id in the directory.`);
