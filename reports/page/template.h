// ExpandTemplate: a text with {{name}} places, filled in.
//
// USE        ExpandTemplate(kPageHtml, {{"title", HtmlText(title)}, …}). Values are put in as they
//            are: whoever makes them escapes them.
// INVARIANTS What is put in is not looked at for further places. A place without a value, or a
//            value without a place, aborts: template and code belong to one program.
// TESTED BY  page_test.cc.

#ifndef RUBRIC_REPORTS_PAGE_TEMPLATE_H_
#define RUBRIC_REPORTS_PAGE_TEMPLATE_H_

#include <map>
#include <string>
#include <string_view>

namespace rubric {

std::string ExpandTemplate(std::string_view text, const std::map<std::string, std::string>& values);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_PAGE_TEMPLATE_H_
