/** The process that inspects one bundle: only here are its pictures decoded. It answers once and exits. */
import { answerOnce } from '../sandbox/answer-once.ts'
import { answerBundleRequest } from './answer-bundle-request.ts'

answerOnce(answerBundleRequest)
