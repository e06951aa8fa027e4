import { type PDF, PdfDict } from '@libpdf/core';
import { visibilityOf } from './appearance.ts';
import { Unsealable } from './pdf-sealer.ts';
import { dictionaryAt, eachDictionary, isStream, membersAt, nameAt } from './walk.ts';

/** Actions that run or send something, or change the visible content (ISO 32000-2, 12.6.4). */
const actions: Readonly<Record<string, string>> = {
  JavaScript: 'a script',
  Launch: 'an action that starts a program',
  SubmitForm: 'an action that sends form values',
  ImportData: 'an action that imports external data',
  SetOCGState: 'an action that changes the visible content',
  Hide: 'an action that changes the visible content',
  Rendition: 'video or audio',
  Movie: 'video or audio',
  Sound: 'video or audio',
  RichMediaExecute: 'video or audio',
  GoTo3DView: 'a 3D model',
};
const annotations: Readonly<Record<string, string>> = {
  RichMedia: 'video or audio',
  Movie: 'video or audio',
  Sound: 'video or audio',
  Screen: 'video or audio',
  '3D': 'a 3D model',
};

/** Types of annotations without their own visible content: a link has at most a frame, and a popup opens only on request. */
const bare: ReadonlySet<string> = new Set(['Link', 'Popup']);

/** Throws an {@link Unsealable} if the PDF contains actions, external content or hidden content. */
export function refuseActiveContent(pdf: PDF): void {
  eachDictionary(pdf, (dictionary) => {
    const found = activeIn(pdf, dictionary);
    if (found === undefined) return;
    throw new Unsealable(
      'active_content',
      `The file has ${found}, so its visible content could change later. Print it as PDF and upload the new file.`,
    );
  });
  if (hidesLayers(pdf))
    throw new Unsealable('active_content', 'The file has hidden layers. Print it as PDF with the content to sign and upload the new file.');
  refuseChangingAnnotations(pdf);
}

/** Throws if an annotation is visible only on screen, only in print, or depending on the pointer. */
function refuseChangingAnnotations(pdf: PDF): void {
  pdf.getPages().forEach(({ dict }, at) => {
    for (const annotation of membersAt(pdf, dict, 'Annots')) {
      if (!(annotation instanceof PdfDict) || bare.has(nameAt(pdf, annotation, 'Subtype') ?? '')) continue;
      const { onScreen, inPrint, varies } = visibilityOf(pdf, annotation);
      if (onScreen === inPrint && !varies) continue;
      throw new Unsealable(
        'active_content',
        `Page ${at + 1} has an annotation that is visible only ${onScreen ? 'on screen' : 'in print'}. Print the file as PDF with the content to sign and upload the new file.`,
      );
    }
  });
}

function activeIn(pdf: PDF, dictionary: PdfDict): string | undefined {
  if (dictionary.has('JS') || dictionary.has('JavaScript')) return 'a script';
  const type = nameAt(pdf, dictionary, 'Type');
  const action = type === 'StructElem' ? undefined : nameAt(pdf, dictionary, 'S');
  if (action !== undefined && Object.hasOwn(actions, action)) return actions[action];
  const subtype = nameAt(pdf, dictionary, 'Subtype');
  if (subtype !== undefined && dictionary.has('Rect') && Object.hasOwn(annotations, subtype)) return annotations[subtype];
  if (dependsOnUse(pdf, dictionary)) return 'layers that are visible only in some programs or uses';
  if (isStream(dictionary) && (dictionary.has('Alternates') || subtype === 'PS' || nameAt(pdf, dictionary, 'Subtype2') === 'PS'))
    return 'print-only content';
  // Stream data in another file, or a page of another file (ISO 32000-2, 7.3.8.2 and 8.10.4).
  if (isStream(dictionary) && (dictionary.has('F') || (subtype === 'Form' && dictionary.has('Ref')))) return 'external content';
  return undefined;
}

/** Whether the file turns a layer off by default, or leaves its state to the viewer. */
function hidesLayers(pdf: PDF): boolean {
  const layers = dictionaryAt(pdf, pdf.getCatalog(), 'OCProperties');
  const usual = layers && dictionaryAt(pdf, layers, 'D');
  const base = usual && nameAt(pdf, usual, 'BaseState');
  return (base !== undefined && base !== 'ON') || (usual !== undefined && membersAt(pdf, usual, 'OFF').length > 0);
}

/**
 * Whether content depends on layers that are off, or a layer depends on whether the page is shown or printed (ISO 32000-2, 8.11.2.2 and 8.11.4.4).
 */
function dependsOnUse(pdf: PDF, dictionary: PdfDict): boolean {
  if (membersAt(pdf, dictionary, 'VE').length > 0) return true;
  const policy = nameAt(pdf, dictionary, 'P');
  if (policy === 'AllOff' || policy === 'AnyOff') return true;
  const usage = dictionaryAt(pdf, dictionary, 'Usage');
  if (usage === undefined) return false;
  return (
    ['Zoom', 'Language', 'User'].some((member) => dictionaryAt(pdf, usage, member) !== undefined) ||
    ['View', 'Print', 'Export'].some((use) => {
      const says = dictionaryAt(pdf, usage, use);
      const state = says && nameAt(pdf, says, `${use}State`);
      return state !== undefined && state !== 'ON';
    })
  );
}
