import assert from 'node:assert/strict'
import { it } from 'node:test'
import { csvLine } from './csv.ts'

it('quotes special characters, and escapes formulas', () => {
  assert.equal(csvLine(['a', -1, '', 'b,c', 'say "hi"\n']), 'a,-1,,"b,c","say ""hi""\n"\r\n')
  assert.equal(
    csvLine(['=1+1', '+1@shop.example', '-1', '@sum', '\tx', '=a,b']),
    `'=1+1,'+1@shop.example,'-1,'@sum,'\tx,"'=a,b"\r\n`,
  )
})
