// What CI found. The code is loaded with the first report.
import "./first.mjs";
export { Remark, Reports, Summary } from "./reports.jsx";
