import { type PDF, PdfDict, PdfName } from '@libpdf/core';
import { Unsealable } from './port.ts';
import { dictionaryAt, eachDictionary, isStream, membersAt, nameAt } from './walk.ts';

/** Actions that run something, send something, or change what is shown (ISO 32000-2, 12.6.4). */
const actions: Readonly<Record<string, string>> = {
  JavaScript: 'a script',
  Launch: 'an action that starts a program',
  SubmitForm: 'an action that sends what was filled in',
  ImportData: 'an action that reads data from elsewhere',
  SetOCGState: 'an action that changes what is shown',
  Hide: 'an action that changes what is shown',
  Rendition: 'a film or a sound',
  Movie: 'a film or a sound',
  Sound: 'a film or a sound',
  RichMediaExecute: 'a film or a sound',
  GoTo3DView: 'a model in three dimensions',
};
const annotations: Readonly<Record<string, string>> = {
  RichMedia: 'a film or a sound',
  Movie: 'a film or a sound',
  Sound: 'a film or a sound',
  Screen: 'a film or a sound',
  '3D': 'a model in three dimensions',
};

/** Throws where the PDF runs something, shows something that lies elsewhere, or hides what could be shown. */
export function refuseActiveContent(pdf: PDF): void {
  eachDictionary(pdf, (dictionary) => {
    const found = activeIn(pdf, dictionary);
    if (found === undefined) return;
    throw new Unsealable(
      'active_content',
      `The file has ${found}, so that it could show one thing now and another later. Print it as PDF, and send that.`,
    );
  });
  if (hidesLayers(pdf))
    throw new Unsealable(
      'active_content',
      'The file has layers that are not shown. Print it as PDF with what is to be signed, and send that.',
    );
}

function activeIn(pdf: PDF, dictionary: PdfDict): string | undefined {
  if (dictionary.has('JS') || dictionary.has('JavaScript')) return 'a script';
  const type = nameAt(pdf, dictionary, 'Type');
  const action = type === 'StructElem' ? undefined : nameAt(pdf, dictionary, 'S');
  if (action !== undefined && Object.hasOwn(actions, action)) return actions[action];
  const subtype = nameAt(pdf, dictionary, 'Subtype');
  if (subtype !== undefined && dictionary.has('Rect') && Object.hasOwn(annotations, subtype)) return annotations[subtype];
  // Data of a stream that lies in another file, or a page of another file (ISO 32000-2, 7.3.8.2 and 8.10.4).
  if (isStream(dictionary) && (dictionary.has('F') || (subtype === 'Form' && dictionary.has('Ref')))) return 'content that lies elsewhere';
  return undefined;
}

/** Whether a layer is not shown by default, or is for the screen or for paper alone. */
function hidesLayers(pdf: PDF): boolean {
  const layers = dictionaryAt(pdf, pdf.getCatalog(), 'OCProperties');
  const usual = layers && dictionaryAt(pdf, layers, 'D');
  if (!layers || !usual) return false;
  const base = nameAt(pdf, usual, 'BaseState');
  if ((base !== undefined && base !== 'ON') || membersAt(pdf, usual, 'OFF').length > 0) return true;
  return membersAt(pdf, layers, 'OCGs').some((layer) => {
    const usage = layer instanceof PdfDict ? dictionaryAt(pdf, layer, 'Usage') : undefined;
    return usage !== undefined && ['View', 'Print'].some((way) => isOff(pdf, usage, way));
  });
}

function isOff(pdf: PDF, usage: PdfDict, way: string): boolean {
  const state = dictionaryAt(pdf, usage, way)?.get(`${way}State`);
  return state instanceof PdfName && state.value === 'OFF';
}
