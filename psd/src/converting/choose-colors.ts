import type { Layer } from 'ag-psd'
import type { Rgb } from '../compositing/blend-formulas.ts'
import { nameOf } from '../compositing/compose-layers.ts'
import { hasEffects } from '../compositing/effects.ts'
import { readColor } from '../compositing/read-color.ts'
import { MAX_COLORS } from '../limits.ts'
import type { PsdDocument } from '../reading/open-document.ts'
import { PsdRefusedError } from '../refused-error.ts'
import { colorInSrgb } from './in-srgb.ts'

/** A colour that requests may change: its name in the template, and its layer. */
export type ColorChoice = { readonly name: string; readonly layer: string }

/** A layer of one colour (sRGB) that becomes a colour of the template. */
export type ChosenColor = { readonly name: string; readonly layer: Layer; readonly color: Rgb }

/** Names in a message. */
const NAMES_SHOWN = 10

/** Visible layers that are filled with one colour, from the bottom to the top. */
export function findColorLayers({ layers }: PsdDocument): Layer[] {
  const all: Layer[] = []
  const visit = (list: readonly Layer[]): void => {
    for (const layer of list) {
      if (layer.hidden) continue
      if (layer.children) visit(layer.children)
      if (layer.vectorFill?.type === 'color' && !hasEffects(layer.effects)) all.push(layer)
    }
  }
  visit(layers)
  return all
}

/** The layers with these names. @throws PsdRefusedError if a name has no layer, or several */
export function chooseColors(document: PsdDocument, choices: readonly ColorChoice[]): readonly ChosenColor[] {
  if (choices.length > MAX_COLORS) {
    throw new PsdRefusedError(`A template has up to ${MAX_COLORS} colours, and ${choices.length} layers were named.`)
  }
  const layers = findColorLayers(document)
  const { conversion } = document.profile
  return choices.map(choice => {
    const [layer, other] = layers.filter(each => nameOf(each) === choice.layer)
    const fill = layer?.vectorFill
    if (!layer || fill?.type !== 'color') {
      throw new PsdRefusedError(
        `No visible layer called "${choice.layer}" is filled with one colour, without effects. ${describe(layers)}`,
      )
    }
    if (other) {
      throw new PsdRefusedError(
        `Several layers of one colour are called "${choice.layer}". Give each a name of its own and save again.`,
      )
    }
    const color = readColor(fill.color)
    return { name: choice.name, layer, color: conversion ? colorInSrgb(color, conversion) : color }
  })
}

function describe(layers: readonly Layer[]): string {
  if (layers.length === 0) return 'The file has no such layers.'
  const names = layers.slice(0, NAMES_SHOWN).map(layer => `"${nameOf(layer).slice(0, 60)}"`)
  const more = layers.length > NAMES_SHOWN ? ` and ${layers.length - NAMES_SHOWN} more` : ''
  return `Such layers are ${names.join(', ')}${more}.`
}

/** A colour as templates have it: #rrggbb. */
export function hexOf(color: Rgb): string {
  return `#${color
    .map(value =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}
