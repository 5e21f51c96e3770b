/** Runs of many mockups, which the server never makes: a start does not load them. */
export { plan, renderAll } from '../../../client/src/bulk.ts'
